char a;
main(){
(a,0)^a;
}
