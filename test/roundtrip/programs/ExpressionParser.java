import java.util.*;
public class ExpressionParser {
  private final String text; private int at; private final Map<String, Double> vars = new HashMap<>(); ExpressionParser(String text) { this.text = text; }
  private char peek() { while (at < text.length() && text.charAt(at) == ' ') at++; return at < text.length() ? text.charAt(at) : '\0'; } private boolean take(char c) { if (peek() != c) return false; at++; return true; }
  double all() { double v; do v = assign(); while (take(';')); if (peek() != 0) throw new IllegalArgumentException("at " + at + ": " + peek()); return v; }
  double assign() { int from = at; if (Character.isLetter(peek())) { String n = name(); if (take('=')) { double v = assign(); vars.put(n, v); return v; } at = from; } return sum(); }
  double sum() { double v = product(); for (;;) { if (take('+')) v += product(); else if (take('-')) v -= product(); else return v; } }
  double product() { double v = power(); while (true) { char c = peek(); switch (c) { case '*': at++; v *= power(); break; case '/': { at++; double d = power(); if (d == 0) throw new ArithmeticException("zero"); v /= d; break; } case '%': at++; v %= power(); continue; default: return v; } } }
  double power() { double b = unary(); return take('^') ? Math.pow(b, power()) : b; } double unary() { return take('-') ? -unary() : take('+') ? unary() : atom(); }
  double atom() { if (take('(')) { double v = sum(); if (!take(')')) throw new IllegalArgumentException("unclosed"); return v; } if (Character.isLetter(peek())) { String n = name(); if (take('(')) { double v = sum(); take(')'); return switch (n) { case "sq" -> v * v; case "abs" -> v < 0 ? -v : v; default -> throw new IllegalArgumentException("no " + n); }; } Double v = vars.get(n); if (v == null) throw new IllegalArgumentException("unset " + n); return v; } int from = at; while (Character.isDigit(peek()) || peek() == '.') at++; if (from == at) throw new IllegalArgumentException("at " + at); return Double.parseDouble(text.substring(from, at).trim()); }
  private String name() { int from = at; while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) at++; return text.substring(from, at); }
  public static void main(String[] args) { for (String s : new String[] {"1+2*3", "-(2-5)^2", "2^3^2", "a=3; b=a*2; sq(b)-a", "7%4/2", "1/0", "(1", "x", "abs(-4)*+2", "3 $", "nope(1)", ""}) { try { System.out.println(s + " = " + new ExpressionParser(s).all()); } catch (ArithmeticException | IllegalArgumentException e) { System.out.println(s + " ! " + e.getMessage()); } } }
}
