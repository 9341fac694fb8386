"""What every game shares: the interface, compiled kernels, sets of cells, records and diagrams."""
