"""Sessions that agents recorded, each in its own format, made trajectories. A module in this folder is an importer."""
