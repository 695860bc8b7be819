"""Mutation testing of the checks: wrong answers made from right ones, and whether a check rejects them."""
