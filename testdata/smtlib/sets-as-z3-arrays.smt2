; sets as z3 arrays
(set-info :status sat)
(define-sort IntSet () (Array Int Bool))
(declare-const a IntSet)
(declare-const b IntSet)
(assert (= (intersection a b) ((as const IntSet) false)))
(assert (select (union a b) 3))
(assert (= ((_ map and) a b) (setminus a (complement b))))
(check-sat)
