fn place(items: &mut [i32; 8], key: i32, count: usize) -> usize {
    let mut at: usize = count;
    let mut steps: usize = 0;
    while at > 0 && items[at - 1] > key {
        items[at] = items[at - 1];
        at -= 1;
        steps += 1;
    }
    items[at] = key;
    steps
}

fn main() {
    let mut items: [i32; 8] = [0; 8];
    let mut key: i32 = 7;
    let mut count: usize = 0;
    let mut moved: usize = 0;
    while count < 8 {
        moved += place(&mut items, key, count);
        key = (key * 5 + 3) % 16;
        count += 1;
    }
    println!("{:?} {}", items, moved);
}
