"""Values and slopes at reference points."""
