; lambda z3 arrays
(set-info :status unsat)
(declare-const a (Array Int Int))
(assert (= a (lambda ((i Int)) (* i i))))
(assert (distinct (select a 3) 9))
(check-sat)
