; unsat core
(set-info :status unsat)
(set-option :produce-unsat-cores true)
(declare-const x Int)
(assert (! (> x 3) :named low))
(assert (! (< x 2) :named high))
(assert (! (> x (- 9)) :named harmless))
(check-sat)
(get-unsat-core)
