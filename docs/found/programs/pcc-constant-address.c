int a;
main(){
a=*((unsigned short*)0+0x40000000);
}
