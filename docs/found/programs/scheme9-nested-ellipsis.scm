(define-syntax sizes
  (syntax-rules () ((_ (a b ...) ...) (list (+ a (length (list b ...))) ...))))
(write (sizes (2 1) (4 1)))
(newline)
