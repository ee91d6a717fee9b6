"""The posterior of parameters and initial states: its density, coordinates, the sampler, what it tells."""
