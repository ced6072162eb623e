(define l '(2))
(write `(,@l ,(+ 1 2)))
(write l)
(newline)
