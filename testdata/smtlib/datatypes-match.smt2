; datatypes match
(set-logic ALL)
(set-info :status unsat)
(declare-datatypes ((Shape 0)) (((circle (radius Int)) (box (width Int) (height Int)) (dot))))
(define-fun size ((s Shape)) Int
  (match s (((circle r) (* 3 r)) ((box w h) (+ w h)) (dot 0))))
(assert (not (= (+ (size (circle 2)) (size (box 1 2)) (size dot)) 9)))
(check-sat)
