import java.io.*;
public class ByteStreams {
  static int varint(InputStream in) throws IOException { int v = 0, shift = 0, b; do { if ((b = in.read()) < 0) throw new EOFException("cut at " + shift); v |= (b & 0x7f) << shift; shift += 7; } while ((b & 0x80) != 0); return v; }
  static void write(OutputStream out, int v) throws IOException { while ((v & ~0x7f) != 0) { out.write(v & 0x7f | 0x80); v >>>= 7; } out.write(v); }
  static String copy(InputStream in) throws IOException { ByteArrayOutputStream out = new ByteArrayOutputStream(); byte[] buffer = new byte[4]; for (int n; (n = in.read(buffer)) != -1; ) out.write(buffer, 0, n); return out.toString(); }
  public static void main(String[] args) throws IOException { ByteArrayOutputStream out = new ByteArrayOutputStream(); for (int v : new int[] {0, 127, 128, 300, -1, Integer.MIN_VALUE}) write(out, v); InputStream in = new ByteArrayInputStream(out.toByteArray()); for (int i = 0; i < 6; i++) System.out.print(varint(in) + " "); try { varint(new ByteArrayInputStream(new byte[] {-1, -1})); } catch (EOFException e) { System.out.println(e.getMessage()); } System.out.println(copy(new ByteArrayInputStream("hello streams".getBytes()))); try (StringReader r = new StringReader("ab\nc")) { int c, n = 0; while ((c = r.read()) >= 0) if (c == '\n') n += 100; else n += c; System.out.println(n); } }
}
