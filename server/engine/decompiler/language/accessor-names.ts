// The names that compilers give to what reaches private members. Knows no classes.

/** javac's `access$000`, d8's `-$$Nest$fgetname`. */
export const isAccessorName = (name: string): boolean => /^(?:access\$|-\$\$Nest\$)/.test(name);
