from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament_copies", "0001_initial"),
        ("tournaments", "0002_plain_names"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="Copy",
            name="copy_made_once",
        ),
        migrations.RemoveIndex(
            model_name="Link",
            name="copies_due",
        ),
        migrations.RenameModel(
            old_name="Copy",
            new_name="HeldCopy",
        ),
        migrations.RenameModel(
            old_name="Link",
            new_name="CopyLink",
        ),
        migrations.RenameField(
            model_name="HeldCopy",
            old_name="keeper",
            new_name="holder",
        ),
        migrations.RenameField(
            model_name="HeldCopy",
            old_name="submission",
            new_name="submission_id",
        ),
        migrations.RenameField(
            model_name="HeldCopy",
            old_name="digest",
            new_name="secret_digest",
        ),
        migrations.RenameField(
            model_name="HeldCopy",
            old_name="mark",
            new_name="content_mark",
        ),
        migrations.RenameField(
            model_name="HeldCopy",
            old_name="made",
            new_name="created_at",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="address",
            new_name="url",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="sent",
            new_name="sent_version",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="mark",
            new_name="content_mark",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="well",
            new_name="delivered_at",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="problem",
            new_name="error",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="failing",
            new_name="failing_since",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="tries",
            new_name="attempts",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="due",
            new_name="due_at",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="worker_until",
            new_name="claimed_until",
        ),
        migrations.RenameField(
            model_name="CopyLink",
            old_name="ending",
            new_name="is_being_removed",
        ),
        migrations.AlterModelOptions(
            name="heldcopy",
            options={"ordering": ["-created_at", "-pk"]},
        ),
        migrations.AddIndex(
            model_name="copylink",
            index=models.Index(fields=["due_at"], name="copies_due"),
        ),
        migrations.AddConstraint(
            model_name="heldcopy",
            constraint=models.UniqueConstraint(fields=("holder", "submission_id"), name="copy_made_once"),
        ),
    ]
