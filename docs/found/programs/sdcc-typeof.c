__typeof__(int(void));
