// javac, smali and java in one process, which costs a tenth of a process for each: a request per line, words parted by tabs,
// answered by one line of base64. Knows nothing of decompiling.
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.BufferedReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jf.smali.Smali;
import org.jf.smali.SmaliOptions;

public class JavaTools {
  private static final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

  public static void main(String[] arguments) throws Exception {
    Locale.setDefault(Locale.ENGLISH);
    PrintStream answers = System.out;
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      List<String> words = Arrays.asList(line.split("\t"));
      List<String> rest = words.subList(1, words.size());
      String answer;
      switch (words.get(0)) {
        case "compile": answer = compile(rest); break;
        case "assemble": answer = assemble(rest.get(0), rest.get(1)); break;
        case "run": answer = run(rest.get(0), rest.get(1)); break;
        default: throw new IllegalArgumentException(line);
      }
      answers.println(Base64.getEncoder().encodeToString(answer.getBytes(StandardCharsets.UTF_8)));
      answers.flush();
    }
    System.exit(0);
  }

  /** Options, `--`, sources. Answers the errors, each `file:line: code: message`, on lines of their own. */
  private static String compile(List<String> words) throws Exception {
    int end = words.indexOf("--");
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(said, Locale.ENGLISH, StandardCharsets.UTF_8)) {
      StringWriter rest = new StringWriter();
      boolean isGood;
      try {
        Iterable<? extends JavaFileObject> sources = files.getJavaFileObjectsFromStrings(words.subList(end + 1, words.size()));
        isGood = compiler.getTask(rest, files, said, words.subList(0, end), null, sources).call();
      } catch (RuntimeException | Error fault) {
        return "?:0: broken: javac broke: " + oneLine(fault.toString());
      }
      TreeSet<String> errors = new TreeSet<>();
      for (Diagnostic<? extends JavaFileObject> each : said.getDiagnostics()) {
        if (each.getKind() != Diagnostic.Kind.ERROR) continue;
        String where = each.getSource() == null ? "?" : new File(each.getSource().toUri()).getPath();
        errors.add(where + ":" + each.getLineNumber() + ": " + each.getCode() + ": " + oneLine(each.getMessage(Locale.ENGLISH)));
      }
      if (!isGood && errors.isEmpty()) errors.add("?:0: broken: " + oneLine(rest.toString()));
      return String.join("\n", errors);
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").trim();
  }

  /** Answers what smali complains of. */
  private static String assemble(String folder, String dex) throws Exception {
    PrintStream usual = System.err;
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    System.setErr(new PrintStream(complaints, true, "UTF-8"));
    try {
      SmaliOptions options = new SmaliOptions();
      options.apiLevel = 29;
      options.jobs = 1;
      options.outputDexFile = dex;
      boolean isGood = Smali.assemble(options, List.of(folder));
      String text = complaints.toString("UTF-8");
      return isGood ? "" : text.isEmpty() ? "smali refused" : text;
    } catch (RuntimeException fault) {
      return fault.toString();
    } finally {
      System.setErr(usual);
    }
  }

  /** Answers what the main class prints, with the exception that ends it. */
  private static String run(String classes, String main) throws Exception {
    PrintStream usual = System.out;
    PrintStream usualErrors = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, "UTF-8");
    System.setOut(stream);
    System.setErr(stream);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {new File(classes).toURI().toURL()})) {
      try {
        loader.loadClass(main).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
      } catch (InvocationTargetException thrown) {
        stream.print("\n" + thrown.getCause());
      }
    } finally {
      System.setOut(usual);
      System.setErr(usualErrors);
    }
    return printed.toString("UTF-8");
  }
}
