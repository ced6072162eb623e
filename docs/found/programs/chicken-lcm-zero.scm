(write (lcm 0 0))
(newline)
