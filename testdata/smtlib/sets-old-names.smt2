; sets old names
(set-logic QF_UFLIAFS)
(set-info :status sat)
(declare-fun a () (Set Int))
(declare-fun b () (Set Int))
(assert (member 1 (union a (singleton 2))))
(assert (not (subset a b)))
(assert (= (card b) 2))
(check-sat)
