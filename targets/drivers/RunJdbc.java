// Runs a script of SQL statements on a database that is a library of Java, and prints rows as
// sqlite3 does.
//
// The first word is the beginning of a name of a database in memory, such as `jdbc:h2:mem:`;
// each script has one of its own, which is gone at its end. A setting is a
// statement that is run first. The first error ends a script with status 1 and a line
// `SQLSTATE: message` on standard error; one that is no SQLException is `Internal: …`.
//
// With `--serve` behind the script's name each line `MARK FOLDER` on standard input is a run in
// that folder; `MARK STATUS` on both outputs is its end.
//
// Usage: java -cp JAR RunJdbc.java URL [--version | [STATEMENT]... SCRIPT [--serve]]

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

public class RunJdbc {
  static final PrintStream OUT = printer(FileDescriptor.out);
  static final PrintStream ERR = printer(FileDescriptor.err);
  static int opened = 0;

  /** Whoever reads is woken for many rows, not for each. */
  static PrintStream printer(FileDescriptor to) {
    return new PrintStream(new BufferedOutputStream(new FileOutputStream(to), 1 << 16), false, StandardCharsets.UTF_8);
  }

  /** The script's statements, without their semicolons. */
  static List<String> statements(String text) {
    List<String> found = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      int end = at + 1;
      if (c == '\'' || c == '"') {
        int close = text.indexOf(c, at + 1);
        end = close < 0 ? text.length() : close + 1;
      } else if (text.startsWith("--", at)) {
        int line = text.indexOf('\n', at);
        at = line < 0 ? text.length() : line;
        continue;
      } else if (text.startsWith("/*", at)) {
        int close = text.indexOf("*/", at + 2);
        at = close < 0 ? text.length() : close + 2;
        continue;
      } else if (c == ';') {
        add(found, statement);
        at = end;
        continue;
      }
      statement.append(text, at, end);
      at = end;
    }
    add(found, statement);
    return found;
  }

  static void add(List<String> found, StringBuilder statement) {
    String text = statement.toString().strip();
    if (!text.isEmpty()) found.add(text);
    statement.setLength(0);
  }

  static String shown(Object value) {
    if (value == null) return "NULL";
    if (value instanceof Boolean truth) return truth ? "1" : "0";
    return value.toString();
  }

  static void execute(Statement statement, String text) throws SQLException {
    if (!statement.execute(text)) return;
    try (ResultSet rows = statement.getResultSet()) {
      int columns = rows.getMetaData().getColumnCount();
      StringBuilder line = new StringBuilder();
      while (rows.next()) {
        line.setLength(0);
        for (int column = 1; column <= columns; column++) {
          if (column > 1) line.append('|');
          line.append(shown(rows.getObject(column)));
        }
        OUT.print(line.append('\n'));
      }
    }
  }

  static String oneLine(String text) {
    return text == null ? "" : text.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  static int run(String url, List<String> settings, Path script) {
    int status = 0;
    String name = url + "d" + opened++;
    try (Connection connection = DriverManager.getConnection(name, "sa", "");
        Statement statement = connection.createStatement()) {
      try {
        for (String setting : settings) execute(statement, setting);
        for (String text : statements(Files.readString(script, StandardCharsets.ISO_8859_1))) execute(statement, text);
      } finally {
        // What is left would stay in memory; of H2 it is gone with the connection, and SHUTDOWN waits for 0.2 s.
        if (!url.startsWith("jdbc:h2:")) statement.execute("SHUTDOWN");
      }
    } catch (SQLException error) {
      OUT.flush();
      Throwable cause = error.getCause();
      // HSQLDB has an exception of its own behind every error.
      boolean own = cause == null || cause.getClass().getName().endsWith(".HsqlException");
      boolean internal = !own && (cause instanceof RuntimeException || cause instanceof Error);
      String inside = internal ? " caused by " + oneLine(cause.toString()) + at(cause) : "";
      ERR.print(oneLine(error.getSQLState() + ": " + error.getMessage()) + inside + "\n");
      status = 1;
    } catch (OutOfMemoryError error) {
      ERR.print("MemoryError: no memory\n");
      status = 1;
    } catch (Throwable error) {
      OUT.flush();
      ERR.print("Internal: " + oneLine(error.toString()) + at(error) + "\n");
      status = 1;
    }
    return status;
  }

  /** Where an error came from. */
  static String at(Throwable error) {
    StackTraceElement[] trace = error.getStackTrace();
    return trace.length == 0 ? "" : " at " + trace[0].getClassName() + "." + trace[0].getMethodName();
  }

  static void end() {
    OUT.flush();
    ERR.flush();
  }

  public static void main(String[] words) throws Exception {
    List<String> rest = new ArrayList<>(List.of(words));
    String url = rest.remove(0);
    if (rest.contains("--version")) {
      try (Connection connection = DriverManager.getConnection(url + "version", "sa", "")) {
        OUT.print("product " + connection.getMetaData().getDatabaseProductVersion() + "\n");
      }
      end();
      return;
    }
    boolean serves = rest.remove("--serve");
    String script = rest.remove(rest.size() - 1);
    if (!serves) {
      int status = run(url, rest, Path.of(script));
      end();
      Runtime.getRuntime().halt(status);
    }
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      int space = line.indexOf(' ');
      int status = run(url, rest, Path.of(line.substring(space + 1)).resolve(script));
      String marked = line.substring(0, space) + " " + status + "\n";
      OUT.print(marked);
      ERR.print(marked);
      end();
    }
    Runtime.getRuntime().halt(0);
  }
}
