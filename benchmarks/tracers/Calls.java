import java.io.PrintWriter;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A Java agent that records which method called which; see java_calls.py, which reads what it writes.
 *
 * <p>Each method of the classes in the given folders calls {@link #enter} when it begins, which looks at the stack below
 * it. Bridge methods are passed over. Frames outside the folders, reflection included, make the call external.
 */
public final class Calls {
  private record Method(int id, String file, String type, String name, boolean bridge, AtomicInteger line, AtomicInteger entries) {}

  private static final StackWalker WALKER =
      StackWalker.getInstance(Set.of(StackWalker.Option.SHOW_REFLECT_FRAMES, StackWalker.Option.RETAIN_CLASS_REFERENCE));
  private static final List<Method> METHODS = new CopyOnWriteArrayList<>();
  private static final Map<String, Map<String, Method>> BY_CLASS = new ConcurrentHashMap<>();
  private static final Set<String> CALLS = ConcurrentHashMap.newKeySet();
  private static final ThreadLocal<Boolean> INSIDE = new ThreadLocal<>();
  /** Entries of a method that are all looked at, after which one in SOME is. */
  private static final int ALL = 4000, SOME = 64;

  public static void premain(String arguments, Instrumentation instrumentation) {
    String[] parts = arguments.split(":");
    instrumentation.addTransformer(new ClassFileTransformer() {
      @Override
      public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] code) {
        try {
          if (old != null || domain == null || domain.getCodeSource() == null) return null;
          String place = domain.getCodeSource().getLocation().getPath();
          for (int i = 1; i < parts.length; i++) if (place.startsWith(parts[i])) return instrument(name, code);
        } catch (Throwable error) {
          error.printStackTrace();
        }
        return null;
      }
    });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> write(parts[0])));
  }

  private static byte[] instrument(String type, byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    Map<String, Method> methods = BY_CLASS.computeIfAbsent(type.replace('/', '.'), key -> new ConcurrentHashMap<>());
    String folder = type.contains("/") ? type.substring(0, type.lastIndexOf('/') + 1) : "";
    reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
      private String file = "";

      @Override
      public void visitSource(String source, String debug) {
        file = source;
        super.visitSource(source, debug);
      }

      @Override
      public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor visitor = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean made = (access & Opcodes.ACC_SYNTHETIC) != 0 && !name.startsWith("lambda$");
        Method method = register(folder + file, type, name, made);
        methods.put(name + descriptor, method);
        return new MethodVisitor(Opcodes.ASM9, visitor) {
          @Override
          public void visitCode() {
            super.visitCode();
            if (method.bridge) return;
            super.visitLdcInsn(method.id);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "Calls", "enter", "(I)V", false);
          }

          @Override
          public void visitLineNumber(int line, org.objectweb.asm.Label start) {
            method.line.compareAndSet(0, line);
            super.visitLineNumber(line, start);
          }
        };
      }
    }, 0);
    return writer.toByteArray();
  }

  private static synchronized Method register(String file, String type, String name, boolean bridge) {
    Method method = new Method(METHODS.size(), file, type, name, bridge, new AtomicInteger(), new AtomicInteger());
    METHODS.add(method);
    return method;
  }

  /** Record the call of a method that begins. */
  public static void enter(int id) {
    Method callee = METHODS.get(id);
    int entries = callee.entries.incrementAndGet();
    if (entries > ALL && entries % SOME != 0 || INSIDE.get() != null) return;
    INSIDE.set(true);
    try {
      CALLS.add(WALKER.walk(frames -> call(callee, frames)));
    } finally {
      INSIDE.remove();
    }
  }

  private static String call(Method callee, Stream<StackWalker.StackFrame> frames) {
    Iterator<StackWalker.StackFrame> below = frames.skip(2).iterator();
    boolean direct = true;
    while (below.hasNext()) {
      StackWalker.StackFrame frame = below.next();
      Map<String, Method> methods = BY_CLASS.get(frame.getClassName());
      Method caller = methods == null ? null : methods.get(frame.getMethodName() + frame.getDescriptor());
      if (caller == null) direct = false;
      if (caller == null || caller.bridge) continue;
      int line = caller.name.endsWith("init>") ? frame.getLineNumber() : 0;
      return callee.id + "\t" + caller.id + "\t" + line + "\t" + (direct ? "direct" : "external");
    }
    return callee.id + "\t-1\t0\texternal";
  }

  private static void write(String file) {
    INSIDE.set(true);
    try (PrintWriter out = new PrintWriter(file, "UTF-8")) {
      for (Method m : METHODS) out.println("method\t" + m.id + "\t" + m.file + "\t" + m.type + "\t" + m.name + "\t" + m.line);
      for (String call : CALLS) out.println("call\t" + call);
    } catch (java.io.IOException error) {
      error.printStackTrace();
    }
  }
}
