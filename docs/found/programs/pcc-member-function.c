struct { __typeof__(int(void)) p; } f;
