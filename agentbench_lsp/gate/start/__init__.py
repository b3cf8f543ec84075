"""A folder with one file, which Python puts first on its path: nothing in it may have the name of another module."""
