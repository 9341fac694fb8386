"""The commands of the console script `bitblossom`, one module each, and the exit codes they share."""

OK = 0
FAULT = 1  # a fault of this program
USAGE = 2  # something was asked for that cannot be done
INTERRUPTED = 130  # what shells report after Ctrl-C
