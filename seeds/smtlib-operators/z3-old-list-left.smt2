; The lists that z3 had.
(set-logic ALL)
(declare-const l (List Int))
(declare-const k (List Int))
(declare-const i Int)
(assert (or (is-nil (insert i l)) (= (head (insert i l)) i)))
(assert (=> (is-insert k) (= (tail (insert i k)) k)))
(assert (distinct l k (as nil (List Int))))
(check-sat)
