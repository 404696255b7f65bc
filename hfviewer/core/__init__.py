"""Values and maths on NumPy alone: what every other layer speaks in."""
