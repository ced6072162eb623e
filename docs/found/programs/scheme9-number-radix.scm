(write (string->number "ello" 16))
(newline)
