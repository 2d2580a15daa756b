"""``python -m graphstore``: the command line."""

from graphstore.cli import main

if __name__ == "__main__":
    main()
