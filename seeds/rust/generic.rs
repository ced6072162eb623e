trait Weighed {
    fn weight(&self, by: u16) -> u16;
}

struct Box2(u16, u16);
struct Chain<T: Weighed>(Vec<T>);

impl Weighed for Box2 {
    fn weight(&self, by: u16) -> u16 {
        let mut all: u16 = self.0;
        let mut more: u16 = self.1;
        if by > 2 {
            more = more.saturating_sub(by);
        } else {
            all = all.wrapping_add(by);
        }
        all.wrapping_mul(more)
    }
}

impl<T: Weighed> Weighed for Chain<T> {
    fn weight(&self, by: u16) -> u16 {
        let mut sum: u16 = 0;
        let mut place: u16 = by;
        for one in &self.0 {
            sum = sum.wrapping_add(one.weight(place));
            place = place.wrapping_add(1) % 5;
        }
        sum ^ place
    }
}

fn main() {
    let chain = Chain(vec![Box2(3, 4), Box2(10, 2), Box2(7, 7)]);
    let mut by: u16 = 0;
    let mut seen: u16 = 0;
    while by < 6 {
        seen = seen.rotate_left(3) ^ chain.weight(by);
        by += 1;
    }
    println!("{} {}", seen, by);
}
