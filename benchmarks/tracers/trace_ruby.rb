# frozen_string_literal: true

# Tracer of Ruby: records which function of a repository called which while the tests of the repository run.
#
# usage: TRACE_ROOT=SRC TRACE_OUT=run.json ruby -r/PATH/trace_ruby.rb …      (or RUBYOPT=-r/PATH/trace_ruby.rb rspec …)
#
# It writes the form that `benchmarks/run_verdicts.py` reads. It runs the code of the repository SRC, and needs Ruby 3.1
# to 3.3, which have `RubyVM::AbstractSyntaxTree`. Processes that the tests start are not traced.
#
# - A function is a `def`, or a `define_method` with a literal name and a block. Other blocks run in the function that
#   holds them, or in the top-level code of the file, and so do bodies of classes.
# - Outside are C functions, files outside SRC, and methods that were made from text. `Class#new` is the language's: who
#   calls it calls `initialize` directly.
# - Each thread and fiber has a stack of its own. What it calls first has no caller.

require "json"

module TraceRuby
  ROOT = "#{File.realpath(ENV.fetch("TRACE_ROOT"))}/"
  OUT = File.expand_path(ENV.fetch("TRACE_OUT"))
  PID = Process.pid
  OUTSIDE, CONSTRUCTION, LOADING = -1, -2, -3 # frames that are no function
  LOADERS = { require: true, require_relative: true, load: true }.freeze
  MAKERS = %i[define_method define_singleton_method].freeze

  @functions = [] # [path, line, name]
  @calls = {} # [caller, callee] => direct or external

  # Return the id of a function.
  @ids = Hash.new do |known, key|
    @functions << [key[0].delete_prefix(ROOT), key[1], key[2].to_s]
    known[key] = @functions.size - 1
  end

  # The functions of each file: [first line, last line, name].
  @ranges = Hash.new do |known, path|
    inside = path.start_with?(ROOT) && File.file?(path)
    known[path] = inside ? functions(RubyVM::AbstractSyntaxTree.parse_file(path), []) : nil
  rescue SyntaxError
    known[path] = nil
  end

  # The function that is a method, by path, line and name; nil if the source has no such definition.
  @methods = Hash.new do |known, path|
    ranges = @ranges[path]
    known[path] = ranges && Hash.new do |ids, (line, name)|
      found = ranges.any? { |first, _, each| first == line && each == name }
      ids[[line, name]] = found ? @ids[[path, line, name]] : nil
    end
  end

  # The function that holds a line, or OUTSIDE.
  @holders = Hash.new do |known, path|
    ranges = @ranges[path]
    known[path] = Hash.new do |ids, line|
      around = ranges&.select { |first, last, _| first <= line && line <= last }&.min_by { |first, last, _| last - first }
      ids[line] = ranges ? @ids[around ? [path, around[0], around[2]] : [path, 0, ""]] : OUTSIDE
    end
  end

  class << self
    # Collect the functions below a node of a syntax tree.
    def functions(node, found)
      name =
        case node.type
        when :DEFN then node.children[0]
        when :DEFS then node.children[1]
        when :ITER then made(node.children[0])
        end
      found << [node.first_lineno, node.last_lineno, name] if name
      node.children.each { |child| functions(child, found) if child.is_a?(RubyVM::AbstractSyntaxTree::Node) }
      found
    end

    # Return the literal name in `define_method(:name)`.
    def made(call)
      at = { FCALL: 0, CALL: 1 }[call.type]
      return unless at && MAKERS.include?(call.children[at])

      first = call.children[at + 1]&.children&.first
      name = first.children.first if first.is_a?(RubyVM::AbstractSyntaxTree::Node) && %i[LIT STR].include?(first.type)
      name.to_sym if name.is_a?(Symbol) || name.is_a?(String)
    end

    # Return the frames of this fiber, and the event that began each.
    def stack = Thread.current[:trace_ruby] ||= [[], []] # keys of a thread are those of its fiber

    def push(event, frame)
      frames, events = stack
      frames << frame
      events << event
    end

    # Drop the last frame that such an event began, and those above it, of which the end was not told.
    def pop(event)
      frames, events = stack
      return unless events.last == event || events.include?(event)

      frames.pop
      frames.pop until events.pop == event
    end

    # Record a call by the nearest function of the repository on the stack.
    def called(callee)
      frames = stack[0]
      kind = "direct"
      at = frames.size
      while (at -= 1) >= -1
        frame = at.negative? ? LOADING : frames[at]
        frame = loaded if frame == LOADING && kind == "direct"
        next if frame == CONSTRUCTION

        frame = running(frame) if frame >= 0 && kind == "direct"
        break @calls[[frame, callee]] = @calls[[frame, callee]] == "direct" ? "direct" : kind if frame >= 0

        kind = "external"
      end
    end

    # Return the function that calls: `frame`, or one whose default values are computed before its call is told.
    def running(frame)
      place = calling
      place = nil if place&.label&.include?("<") # the body of a class, in which a method is just being defined
      found = place ? @holders[place.absolute_path || place.path][place.lineno] : OUTSIDE
      found >= 0 ? found : frame
    end

    # Return the place of the call; the first place outside of this file is in the function that was called.
    def calling = caller_locations(1, 12).drop_while { |each| each.path == __FILE__ }[1]

    # Return the top-level code that runs now: no event tells that a file begins.
    def loaded
      caller = calling
      top = caller && caller.label.match?(/<(?:top|main)/)
      top ? @holders[caller.absolute_path || caller.path][0] : OUTSIDE
    end

    def event(point)
      case point.event
      when :c_call then push(:c_call, c_frame(point))
      when :c_return then pop(:c_call)
      when :b_call then push(:b_call, @holders[point.path][point.lineno])
      when :b_return then pop(:b_call)
      when :class then push(:class, @holders[point.path][point.lineno])
      when :end then pop(:class)
      when :return then pop(:call)
      when :call
        callee = @methods[point.path]&.[]([point.lineno, point.method_id])
        called(callee) if callee
        push(:call, callee || OUTSIDE)
      end
    end

    def c_frame(point)
      return CONSTRUCTION if point.method_id == :new && point.defined_class == Class

      LOADERS.key?(point.method_id) ? LOADING : OUTSIDE
    end
  end

  TracePoint.new(:call, :return, :b_call, :b_return, :c_call, :c_return, :class, :end) { |point| event(point) }.enable

  at_exit do
    calls = @calls.map { |(caller, callee), kind| [caller, callee, kind] }
    File.write(OUT, JSON.generate({ language: "ruby", functions: @functions, calls: calls })) if Process.pid == PID
  end
end
