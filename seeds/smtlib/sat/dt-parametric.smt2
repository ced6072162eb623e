; Pairs and options over integers and booleans.
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Option 1) (Pair 2)) (
  (par (T) ((none) (some (get T))))
  (par (X Y) ((pair (first X) (second Y))))))
(declare-fun p () (Pair Int (Option Bool)))
(declare-fun q () (Pair Int (Option Bool)))
(assert (= (second p) (some (> (first p) (first q)))))
(assert (or (= (second q) (as none (Option Bool))) (get (second q))))
(assert (distinct p q))
(assert (not (get (second p))))
(assert (= (+ (first p) (first q)) 11))
(check-sat)
