<?php

/**
 * Writes where the functions of a repository are defined, when a traced program ends; see trace_php.py.
 *
 * Each line has the name as Xdebug writes it in a trace, the file, its first and last line, and whether it is a
 * generator, divided by tabs. A method of a trait has a line for each class that uses it.
 */
register_shutdown_function(static function (): void {
    $root = getenv('TRACE_ROOT') . '/';
    $out = fopen(getenv('TRACE_DEFINITIONS'), 'a');
    $write = static function (string $name, ReflectionFunctionAbstract $function) use ($out, $root): void {
        $file = (string) $function->getFileName();
        if (str_starts_with($file, $root) && !str_contains($file, 'eval()')) {
            $rest = [$file, $function->getStartLine(), $function->getEndLine(), (int) $function->isGenerator()];
            fwrite($out, implode("\t", [$name, ...$rest]) . "\n");
        }
    };
    foreach (get_defined_functions()['user'] as $name) {
        $function = new ReflectionFunction($name);
        $write($function->getName(), $function);
    }
    foreach ([...get_declared_classes(), ...get_declared_traits()] as $name) {
        $class = new ReflectionClass($name);
        $place = "{$class->getFileName()}:{$class->getStartLine()}-{$class->getEndLine()}";
        foreach ($class->getMethods() as $method) {
            if ($method->getDeclaringClass()->getName() === $class->getName()) {
                $owner = $class->isAnonymous() ? '{anonymous-class:' . $place . '}' : $class->getName();
                $write($owner . ($method->isStatic() ? '::' : '->') . $method->getName(), $method);
            }
        }
    }
});
