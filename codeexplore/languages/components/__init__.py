"""Single-file components: markup, styles and a script in one file (Vue, Svelte).

Entry points: `spec.VUE`, `spec.SVELTE` (the language records), `script.script_view` (the script part of a file).

Example: ``<script setup lang="ts">function save() {}</script>`` in ``src/Form.vue`` becomes the function
``src/Form.save``, as in a file ``src/Form.ts``, on its line of the component.
"""
