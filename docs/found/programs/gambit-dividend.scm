(define v (expt 3 100))
(remainder v (- (expt 10 30)))
(write v)
(newline)
