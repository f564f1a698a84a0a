from .importer import read_products
from .models import Category, Product
from .service import Catalog

__all__ = ["Catalog", "Category", "Product", "read_products"]
