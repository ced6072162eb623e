// <stdarg.h> for chibicc, whose package has none. The compiler keeps the
// arguments of a variadic function in __va_area__: a list as the calling
// convention has it, except that floating-point registers take 8 bytes each.
#ifndef _STDARG_H
#define _STDARG_H

typedef struct {
    unsigned gp_offset, fp_offset;
    void *overflow_arg_area, *reg_save_area;
} __va_elem;
typedef __va_elem va_list[1];
typedef va_list __gnuc_va_list;

static void *__va_next(__va_elem *list, int class, int bytes, int align)
{
    unsigned *offset = class == 0 ? &list->gp_offset : &list->fp_offset;
    unsigned end = class == 0 ? 48 : 112;
    if (class < 2 && *offset < end) {
        *offset += 8;
        return (char *)list->reg_save_area + *offset - 8;
    }
    unsigned long place = (unsigned long)list->overflow_arg_area;
    if (align > 8)
        place = (place + 15) / 16 * 16;
    list->overflow_arg_area = (void *)(place + (bytes + 7) / 8 * 8);
    return (void *)place;
}

#define va_start(list, last) (*(list) = *(__va_elem *)__va_area__)
#define va_arg(list, type) \
    (*(type *)__va_next(list, __builtin_reg_class(type), sizeof(type), _Alignof(type)))
#define va_copy(to, from) (*(to) = *(from))
#define va_end(list)

#endif
