; A tree with integer leaves and a match over it.
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Tree 0)) (((leaf (value Int)) (node (left Tree) (right Tree)))))
(declare-fun t () Tree)
(declare-fun n () Int)
(define-fun top ((t Tree)) Int
  (match t (((leaf v) v) ((node l r) (ite ((_ is leaf) l) (value l) 0)))))
(assert (not ((_ is leaf) t)))
(assert (= n (top t)))
(assert (> n 3))
(assert (= (top (right t)) (+ n 1)))
(assert (distinct (right t) (leaf (+ n 1))))
(check-sat)
