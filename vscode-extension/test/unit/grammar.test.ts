/** The injected highlighting: regexes and commands in their strings, and nowhere else. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { describe, it } from "node:test";

interface Pattern {
  match: string;
  captures: Record<string, { patterns?: unknown[] }>;
}

const grammar = JSON.parse(readFileSync(path.resolve("syntaxes/injection.tmLanguage.json"), "utf8")) as { patterns: [Pattern, Pattern]; repository: { regex: { patterns: { match?: string; name?: string }[] } } };
const [pattern, command] = grammar.patterns;

/** What stands between the quotes of the value. */
const value = ({ match }: Pattern, line: string): string | undefined => new RegExp(match).exec(line)?.[6];

describe("the injection grammar", () => {
  it("takes the whole string, escaped quotes included", () => {
    assert.equal(value(pattern, String.raw`"pattern": "a\"b\\d+", "x": "y"`), String.raw`a\"b\\d+`);
    assert.equal(value(command, String.raw`{ "command" : "python -c \"print(1)\"" }`), String.raw`python -c \"print(1)\"`);
  });

  it("takes the comma, too, which JSON's rules would not expect after it", () => {
    assert.equal(new RegExp(command.match).exec('"command": "true", "timeout": 3')?.[0], '"command": "true",');
  });

  it("leaves other keys, and strings without an end, to JSON", () => {
    for (const line of [String.raw`"path": "a"`, String.raw`"my_pattern": "a"`, String.raw`"pattern": "a`, String.raw`"pattern": 3`]) assert.equal(value(pattern, line), undefined, line);
  });

  it("tells the pieces of a regex apart", () => {
    const pieces = grammar.repository.regex.patterns;
    const nameOf = (text: string): string | undefined => pieces.find(({ match }) => match !== undefined && new RegExp(`^(?:${match})$`).test(text))?.name;
    assert.equal(nameOf(String.raw`\\d`), "constant.other.character-class.regexp");
    assert.equal(nameOf(String.raw`\\.`), "constant.character.escape.regexp");
    assert.equal(nameOf("*?"), "keyword.operator.quantifier.regexp");
    assert.equal(nameOf("[^a-z]"), "constant.other.character-class.set.regexp");
    assert.equal(nameOf("a"), undefined);
  });
});
