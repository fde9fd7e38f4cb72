"""`python -m scenthound`, where scripts of the environment are not on the path."""

from scenthound.cli.main import main

if __name__ == "__main__":
    main()
