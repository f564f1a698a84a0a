"""Payment gateways. Importing this package registers the built-in ones."""

from webshop.payments.base import PaymentGateway, Receipt, gateways
from webshop.payments.card import CardGateway
from webshop.payments.invoice import InvoiceGateway as PayLater

__all__ = ["CardGateway", "PayLater", "PaymentGateway", "Receipt", "gateways"]
