package dev.recloser.config;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.Optional;

/**
 * Which classes the running Java has. It is asked by name and nothing is loaded, so the answer is
 * the same whichever modules and class loaders the program has.
 */
final class JdkClasses {
  private JdkClasses() {}

  /** Whether there is a class of this binary name. */
  static boolean contain(String name) {
    return moduleOf(name).map(module -> contains(module, name)).orElse(false);
  }

  /** Whether a class of this name would have to be among them, and is not. */
  static boolean lack(String name) {
    return isTheirs(name) && !contain(name) && canBeAsked();
  }

  /** Other specifications have packages under {@code javax} too, but share none. */
  private static boolean isTheirs(String name) {
    return name.startsWith("java.") || (name.startsWith("javax.") && moduleOf(name).isPresent());
  }

  /** A native image may have no modules to look at, and then nothing is known. */
  private static boolean canBeAsked() {
    return contain(Object.class.getName());
  }

  private static Optional<ModuleReference> moduleOf(String name) {
    String itsPackage = name.substring(0, Math.max(0, name.lastIndexOf('.')));
    return ModuleFinder.ofSystem().findAll().stream()
        .filter(module -> module.descriptor().packages().contains(itsPackage))
        .findFirst();
  }

  private static boolean contains(ModuleReference module, String name) {
    try (ModuleReader reader = module.open()) {
      return reader.find(name.replace('.', '/') + ".class").isPresent();
    } catch (IOException e) {
      return false; // Then canBeAsked() is false as well.
    }
  }
}
