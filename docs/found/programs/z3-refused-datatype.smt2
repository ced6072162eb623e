(declare-datatypes ((L 0)) (((cons (head Foo)) (nil))))
(define-fun-rec f ((l L)) L l)
(assert (exists ((a L)) (distinct (f a) a)))
(check-sat)
