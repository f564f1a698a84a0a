"""Orders, from placed to refunded. See docs/order-lifecycle.md."""

from .models import Order, OrderLine, OrderStatus
from .refunds import RefundDesk
from .refunds import process_order_refund as refund_order
from .service import OrderService

__all__ = ["Order", "OrderLine", "OrderService", "OrderStatus", "RefundDesk", "refund_order"]
