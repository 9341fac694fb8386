"""Agents for Aronda."""
