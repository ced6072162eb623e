; sets cvc5
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Set Int))
(declare-const b (Set Int))
(assert (set.subset a b))
(assert (set.member 3 a))
(assert (not (set.member 3 (set.inter b (set.insert 1 2 3 (as set.empty (Set Int)))))))
(check-sat)
