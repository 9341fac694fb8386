"""Search by planning with Gumbel (Danihelka, Guez, Schrittwieser, Silver 2022), with a value for every seat (max^n)."""
