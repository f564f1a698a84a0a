"""Repositories: where the shop keeps its things."""

from .base import Repository
from .jsonfile import JsonFileRepository
from .memory import CachingRepository, MemoryRepository
from .unit_of_work import UnitOfWork

__all__ = ["CachingRepository", "JsonFileRepository", "MemoryRepository", "Repository", "UnitOfWork"]
