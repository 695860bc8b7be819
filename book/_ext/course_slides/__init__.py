"""Slides of each chapter for who teaches with the book, made of the chapter's page."""
