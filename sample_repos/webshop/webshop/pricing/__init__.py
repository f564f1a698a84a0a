"""From a cart to what the customer pays: rules take something off, taxes put something on."""

from webshop.pricing import rules  # its decorators fill the registry
from webshop.pricing.base import PriceRule, price_rules
from webshop.pricing.engine import PricingEngine, Quote

__all__ = ["PriceRule", "PricingEngine", "Quote", "price_rules", "rules"]
