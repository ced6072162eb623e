; No list is its own tail's tail.
(set-logic QF_DT)
(set-info :status unsat)
(declare-datatypes ((Bit 0) (List 0)) (
  ((zero) (one))
  ((nil) (cons (head Bit) (tail List)))))
(declare-fun l () List)
(declare-fun m () List)
(declare-fun n () List)
(assert (= l (cons zero m)))
(assert (= m (cons (head n) n)))
(assert (or (= n l) (= n m) (and (= l n) (distinct zero (head l)))))
(check-sat)
