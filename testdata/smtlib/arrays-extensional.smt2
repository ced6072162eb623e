; arrays extensional
(set-logic QF_AX)
(set-info :status unsat)
(declare-sort Index 0)
(declare-sort Element 0)
(declare-const a (Array Index Element))
(declare-const i Index)
(assert (not (= (store a i (select a i)) a)))
(check-sat)
